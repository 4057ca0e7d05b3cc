// SPDX-License-Identifier: MIT
#include <netinet/in.h>
#include <cerrno>
#include <sys/socket.h>
#include <sys/un.h>
@COMMON@
static void attack() {
    for (const int family : {AF_INET, AF_INET6, AF_NETLINK, AF_PACKET, AF_VSOCK, AF_UNIX})
        for (const int type : {SOCK_STREAM, SOCK_DGRAM, SOCK_RAW})
            escaped_if(::socket(family, type, 0) >= 0, family == AF_UNIX ? "a local socket" : "a socket");
    // On a GPU there are local sockets, for CUDA's driver: they lead nowhere.
    sockaddr_un places[2] = {{AF_UNIX, "/run/dbus/system_bus_socket"}, {AF_UNIX, {'\0', 'c', 'o', 'u', 'r', 's', 'e'}}};
    for (sockaddr_un& place : places) {
        auto* const where = reinterpret_cast<sockaddr*>(&place);
        const int local = ::socket(AF_UNIX, SOCK_DGRAM, 0);
        escaped_if(local >= 0 && ::connect(local, where, sizeof place) == 0, "connect to a local socket");
        escaped_if(local >= 0 && errno != ENOSYS, "a local connect isn't refused");
        escaped_if(local >= 0 && ::sendto(local, "x", 1, 0, where, sizeof place) == 1, "a message to a local socket");
    }
    int pair[2];
    escaped_if(::socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) == 0, "a pair of datagram sockets");
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(80);
    escaped_if(::connect(3, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0, "connect");
}
