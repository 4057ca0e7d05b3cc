# SPDX-License-Identifier: MIT
# Images for machines without a GPU; docs/images.md says how to build and run them.
#   docker build -f docker/cpu.Dockerfile --target student -t gpu-course .
#   docker build -f docker/cpu.Dockerfile --target notebook -t gpu-course-notebook .
#   docker build -f docker/cpu.Dockerfile --target instructor -t gpu-course-instructor .
ARG BASE=debian:12-slim

FROM ${BASE} AS packages
COPY setup /opt/gpu-course/setup
COPY docker/steps/packages /opt/gpu-course/docker/steps/packages
RUN /opt/gpu-course/docker/steps/packages --student --debugger
RUN useradd --non-unique --uid 1000 --gid 0 --home-dir /home/course --shell /bin/bash course
# Kernels for any CPU since about 2015, so that those in the cache serve whatever machine runs the image.
ENV LIBGPU_HOST_ARCH=portable LIBGPU_CACHE_DIR=/var/cache/gpu-course HOME=/home/course LC_ALL=C.UTF-8
# Plain CUDA programs compile anywhere in the image: gpucc saxpy.cu -o saxpy.
RUN ln -s /course/build/kit/bin/gpucc /usr/local/bin/gpucc
WORKDIR /course

FROM packages AS all-packages
RUN /opt/gpu-course/docker/steps/packages --debugger

# --- the whole kit ----------------------------------------------------------------------------------------------------
FROM all-packages AS commands
COPY . /course
RUN docker/steps/build commands

FROM commands AS kit
RUN docker/steps/build instructor

FROM all-packages AS instructor
COPY --from=kit --chown=1000:0 /home/course /home/course
COPY --from=kit --chown=1000:0 /var/cache/gpu-course /var/cache/gpu-course
COPY --from=kit --chown=1000:0 /course /course
RUN cd / && chown 1000:0 course home/course var/cache/gpu-course && chmod 775 course home/course var/cache/gpu-course
USER 1000:0
CMD ["bash"]

# --- the student's edition --------------------------------------------------------------------------------------------
FROM commands AS edition
RUN docker/steps/edition /edition

FROM packages AS student-kit
COPY --from=edition /edition /course
RUN docker/steps/build student

FROM packages AS student
ENV SETUP="--student --debugger"
COPY --from=student-kit --chown=1000:0 /home/course /home/course
COPY --from=student-kit --chown=1000:0 /var/cache/gpu-course /var/cache/gpu-course
COPY --from=student-kit --chown=1000:0 /course /course
RUN cd / && chown 1000:0 course home/course var/cache/gpu-course && chmod 777 course home/course var/cache/gpu-course
USER 1000:0
CMD ["bash"]

# The same with what editors ask, for .devcontainer.
FROM student AS editor
USER root
RUN /opt/gpu-course/docker/steps/packages --student --debugger --editors
ENV SETUP="--student --debugger --editors"
USER 1000:0

# The same with Jupyter, and cells of C++ and CUDA C++.
FROM student AS notebook
USER root
RUN /opt/gpu-course/docker/steps/packages --student --debugger --notebooks
ENV SETUP="--student --debugger --notebooks"
USER 1000:0
RUN docker/steps/notebook
EXPOSE 8888
CMD ["make", "notebook", "IP=0.0.0.0"]
