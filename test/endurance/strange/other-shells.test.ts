// The hook for POSIX shells in the shells that are somewhere /bin/sh: each test that has the machine's own shell in npm test.
import "../../integration/network/remote/spool.test.ts";
import "../../integration/posix-hook/arguments.test.ts";
import "../../integration/posix-hook/bad-disk.test.ts";
import "../../integration/posix-hook/dispatcher.test.ts";
import "../../integration/posix-hook/lease.test.ts";
import "../../integration/posix-hook/no-programs.test.ts";
import "../../integration/posix-hook/payloads.test.ts";
