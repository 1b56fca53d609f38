import { cachePolicies } from '../http/cachePolicies.ts'

/** Of an answer with server-sent events: nobody on the way may keep, change or gather them. */
export const streamHeaders = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': cachePolicies.stream,
  'X-Accel-Buffering': 'no',
} as const
