import { cachePolicies } from '../http/cachePolicies.ts'

/** Headers of server-sent events: intermediaries must not cache, transform or buffer them. */
export const streamHeaders = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': cachePolicies.stream,
  'X-Accel-Buffering': 'no',
} as const
