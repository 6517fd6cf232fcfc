import { describe, expect, it } from "vitest";
import { findSessionBuses } from "../../../src/system/desktop/session-bus.ts";
import { everyRow } from "../../support/rows.ts";

describe("findSessionBuses", () => {
  it("finds the socket of each bus", () =>
    everyRow(
      [
        ["unix:path=/run/user/1000/bus", undefined, ["/run/user/1000/bus"]],
        ["unix:path=/tmp/a%20b%2cc,guid=0a", undefined, ["/tmp/a b,c"]],
        ["unix:abstract=/tmp/dbus-x,guid=0a", undefined, ["\0/tmp/dbus-x"]],
        ["unix:runtime=yes", "/run/me", ["/run/me/bus"]],
        ["unix:path=/a;unix:path=/b", "/run/me", ["/a", "/b", "/run/me/bus"]],
        ["unix:path=/run/me/bus", "/run/me", ["/run/me/bus"]],
        ["tcp:host=localhost,port=1;unix:path=/b", undefined, ["/b"]],
        ["unixexec:path=ssh,argv1=x", undefined, []],
        ["autolaunch:", undefined, []],
        ["unix:path=%zz", undefined, []],
        ["unix:path=", undefined, []],
        ["nonsense", undefined, []],
        [undefined, "/run/me", ["/run/me/bus"]],
        [undefined, "", []],
        [undefined, undefined, []],
      ],
      ([address, runtimeDir, paths]) => {
        expect(findSessionBuses({ DBUS_SESSION_BUS_ADDRESS: address, XDG_RUNTIME_DIR: runtimeDir }, null)).toEqual(
          paths,
        );
      },
      (row) => JSON.stringify(row),
    ));

  it("asks no bus after the login's own", () => {
    const env = {
      DBUS_SESSION_BUS_ADDRESS: "unix:path=/a;unix:path=/run/user/1000/bus",
      XDG_RUNTIME_DIR: "/tmp/other",
    };
    expect(findSessionBuses(env, 1000)).toEqual(["/a", "/run/user/1000/bus"]);
  });

  it("guesses the runtime folder from the user", () => {
    expect(findSessionBuses({}, 1000)).toEqual(["/run/user/1000/bus"]);
  });
});
