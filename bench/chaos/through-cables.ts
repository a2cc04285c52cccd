/**
 * Loaded into a bot process before the bot, with `?<port of a server>=<port of its cable>`: connections to the server
 * go through the cable. So all processes know a server by one address, which it may also put into what it sends, and
 * each has cables of its own.
 */
import { Socket } from 'node:net';

const cables = new Map(new URL(import.meta.url).searchParams);
const { connect } = Socket.prototype;

Socket.prototype.connect = function through(this: Socket, ...args: unknown[]): Socket {
  // Node's own modules hand options and callback over as one list.
  const list = Array.isArray(args[0]) ? args[0] : args;
  list[0] = moved(list[0]);
  return Reflect.apply(connect, this, args);
};

/** A port, or options with one. */
function moved(to: unknown): unknown {
  if (typeof to !== 'object' || to === null) return cables.get(String(to)) ?? to;
  const cable = 'port' in to ? cables.get(String(to.port)) : undefined;
  return cable === undefined ? to : { ...to, port: Number(cable) };
}
