import type { StreamState } from '../api/useEventStream.ts'

const texts: Record<StreamState, string> = {
  live: 'Live',
  connecting: 'Connecting …',
  lost: 'Not live: looks again every 10 seconds',
}

/** Whether the page changes by itself. */
export const LiveMark = ({ stream }: { stream: StreamState }) => (
  <span class={`live-mark ${stream}`}>
    <span aria-hidden="true" class="live-dot" />
    {texts[stream]}
  </span>
)
