# SPDX-License-Identifier: MIT
# usage: perl ask.pl KERNELS.cu SOURCE.cpp
#
# What an editor sends to clangd: it opens the two files and asks six questions, numbered as in check.
use strict;
use warnings;

my ($kernels, $source) = @ARGV;

sub send_message { my ($text) = @_; printf "Content-Length: %d\r\n\r\n%s", length($text), $text; }
sub text_of { my ($path) = @_; local $/; open(my $in, '<', $path) or die "$path: $!"; return scalar <$in>; }
sub address { my ($path) = @_; $path =~ s/ /%20/g; return "file://$path"; }
sub quoted {
  my ($text) = @_;
  $text =~ s/([\\"])/\\$1/g;
  $text =~ s/\n/\\n/g;
  $text =~ s/\t/\\t/g;
  return "\"$text\"";
}

# The line and column, from 0, of a word; of its end with `behind`.
sub place {
  my ($path, $word, $behind) = @_;
  my $text = text_of($path);
  my $at = rindex($text, $word);
  die "$word isn't in $path" if $at < 0;
  $at += length($word) if $behind;
  my $before = substr($text, 0, $at);
  my $line = ($before =~ tr/\n//);
  my $column = length($before) - (rindex($before, "\n") + 1);
  return "\"position\":{\"line\":$line,\"character\":$column}";
}

my $number = 0;
sub ask {
  my ($method, $path, $word, $behind) = @_;
  $number++;
  send_message("{\"jsonrpc\":\"2.0\",\"id\":$number,\"method\":\"textDocument/$method\",\"params\":{\"textDocument\":"
             . "{\"uri\":\"" . address($path) . "\"}," . place($path, $word, $behind) . "}}");
}

send_message('{"jsonrpc":"2.0","id":100,"method":"initialize",'
           . '"params":{"processId":null,"rootUri":null,"capabilities":{}}}');
for my $path ($kernels, $source) {
  send_message('{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"' . address($path)
             . '","languageId":"cpp","version":1,"text":' . quoted(text_of($path)) . '}}}');
}
ask('hover', $kernels, 'threadIdx', 0);
ask('hover', $kernels, '__syncthreads', 0);
ask('hover', $kernels, 'atomicAdd', 0);
ask('hover', $kernels, '__shared__', 0);
ask('completion', $kernels, '__syncthr', 1);
ask('completion', $source, 'gpu::to_', 1);
send_message('{"jsonrpc":"2.0","id":101,"method":"shutdown"}');
send_message('{"jsonrpc":"2.0","method":"exit"}');
