// SPDX-License-Identifier: MIT
#include <netinet/in.h>
#include <sys/socket.h>
@COMMON@
static void attack() {
    for (const int family : {AF_INET, AF_INET6, AF_NETLINK, AF_PACKET, AF_VSOCK, AF_UNIX})
        for (const int type : {SOCK_STREAM, SOCK_DGRAM, SOCK_RAW})
            escaped_if(::socket(family, type, 0) >= 0, "a socket");
    int pair[2];
    escaped_if(::socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) == 0, "a pair of datagram sockets");
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(80);
    escaped_if(::connect(3, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0, "connect");
}
