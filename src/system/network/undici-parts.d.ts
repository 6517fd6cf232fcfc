// The parts of undici that are loaded by themselves: all of it takes twice as long.
declare module "undici/lib/dispatcher/agent.js" {
  import { Agent } from "undici";
  export default Agent;
}

declare module "undici/lib/dispatcher/proxy-agent.js" {
  import { ProxyAgent } from "undici";
  export default ProxyAgent;
}

declare module "undici/lib/dispatcher/pool.js" {
  import { Pool } from "undici";
  export default Pool;
}

declare module "undici/lib/api/api-connect.js" {
  import type { Dispatcher } from "undici";
  function connect(this: Dispatcher, options: Dispatcher.ConnectOptions): Promise<Dispatcher.ConnectData>;
  export default connect;
}

declare module "undici/lib/handler/decorator-handler.js" {
  import { DecoratorHandler } from "undici";
  export default DecoratorHandler;
}

declare module "undici/lib/web/websocket/websocket.js" {
  export { ping, WebSocket } from "undici";
}
