#!/usr/bin/env perl
# Finds the functions that the compiler says errors of, and adds them to the list of those that are left out because they do not compile.
#   prune.pl SOURCES PRUNED LOG
use strict;
use warnings;
use utf8;
use open ':std', ':encoding(UTF-8)';
my ($sources, $pruned, $log) = @ARGV;
my (%errors, %seen, @new);
open(my $in, '<:encoding(UTF-8)', $log) or die $!;
while (<$in>) {
    next unless m{/([\w+]+\.swift):(\d+):\d+: error: (.*)};
    push @{$errors{$1}}, [$2, $3];
}
close $in;
my $unplaced = 0;
for my $name (sort keys %errors) {
    open(my $file, '<:encoding(UTF-8)', "$sources/$name") or next;
    my @lines = <$file>;
    close $file;
    my %done;
    for my $error (sort { $a->[0] <=> $b->[0] } @{$errors{$name}}) {
        my ($line, $text) = @$error;
        # The function around it, by its indentation.
        my $first = $line;
        my $indent;
        my $found;
        while ($first > 0) {
            my $code = $lines[$first - 1] // '';
            if ($code =~ /^(\s*)(?:\@\w+(?:\([^)]*\))?\s+)*(?:(?:override|private|fileprivate|internal|public|static|class|final|open|mutating|convenience|required|nonisolated)\s+)*(?:func\b|init[?(]|var\s+\w+[^=\n]*\{\s*$)/
                && length($1) <= 8) { $found = 1; $indent = length $1; last }
            last if $code =~ /^(class|struct|enum|protocol|extension|final class|private class)\b/ && $first < $line;
            $first--;
        }
        if (!$found) { $unplaced++; print STDERR "outside of a function: $name:$line: $text\n"; next }
        my $last = $first;
        if ($lines[$first - 1] !~ /\}\s*$/ || $lines[$first - 1] !~ /\{/) {
            my $space = ' ' x $indent;
            $last++ while $last < @lines && ($lines[$last - 1] // '') !~ /^$space\}/;
        }
        if ($line > $last) { $unplaced++; print STDERR "outside of a function: $name:$line: $text\n"; next }
        # Attributes on lines of their own belong to it.
        $first-- while $first > 1 && $lines[$first - 2] =~ /^\s*\@\w+(\([^)]*\))?\s*(\/\/.*)?$/;
        next if $done{$first}++;
        my ($title) = join(' ', @lines[$first - 1 .. $first + 1]) =~ /func\s+(\w+)/;
        push @new, [$name, $first, $last, $title // 'init', $text];
    }
}
open(my $out, '>>:encoding(UTF-8)', $pruned) or die $!;
print $out join("\t", @$_), "\n" for @new;
close $out;
print scalar(@new), " more functions do not compile\n";
exit($unplaced ? 2 : @new ? 0 : 1);
