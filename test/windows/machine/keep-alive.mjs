// Loaded by every Node on Windows: Wine refuses to set this on a socket that is not connected yet, which Windows allows.
import { Socket } from "node:net";

Socket.prototype.setKeepAlive = function () {
  return this;
};
