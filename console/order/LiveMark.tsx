import type { StreamState } from '../api/streamState.ts'

const texts: Record<StreamState, string> = {
  live: 'Live',
  connecting: 'Connecting …',
  lost: 'Not live: updated every 10 seconds',
}

/** State of the live updates of the page. */
export const LiveMark = ({ stream }: { stream: StreamState }) => (
  <span class={`live-mark ${stream}`}>
    <span aria-hidden="true" class="live-dot" />
    {texts[stream]}
  </span>
)
