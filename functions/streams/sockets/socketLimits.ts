/** Limits of WebSockets. */
export const socketLimits = {
  subscriptionsPerConnection: 50,
  /** characters */
  messageLength: 4_096,
  /** characters of the events with which no further one is added to a message: some clients read at most 1 MiB at once */
  eventsLength: 64 * 1024,
  /** messages of one connection at once, and how many more per second */
  messages: { burst: 100, perSecond: 10 },
  /** characters of unconfirmed messages with which a client has to read before it gets another opening, and before it is closed */
  unread: { paused: 256 * 1024, closed: 1024 * 1024 },
} as const

/** Sent as they are, these are exchanged without waking the object. */
export const clientPing = '{"type":"ping"}'
export const serverPong = '{"type":"pong"}'

/** Interval of the server's pings, and how long it waits for the pong. */
export const pingMs = 15_000
export const maxSilenceMs = 30_000
