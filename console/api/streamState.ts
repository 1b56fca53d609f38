/** `connecting`: interrupted, the browser reconnects; `lost`: refused, reopened after a delay. */
export type StreamState = 'connecting' | 'live' | 'lost'
