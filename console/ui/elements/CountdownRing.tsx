import './countdownRing.css'

const radius = 7
const length = 2 * Math.PI * radius

/**
 * Remaining share of a time as an arc; the text beside it has the seconds.
 * @param share 1 at the start, 0 at the end
 */
export const CountdownRing = ({ share, isBusy = false }: { share: number; isBusy?: boolean }) => (
  <svg aria-hidden="true" class={isBusy ? 'ring busy' : 'ring'} width="18" height="18" viewBox="0 0 18 18">
    <circle class="ring-track" cx="9" cy="9" r={radius} />
    <circle
      class="ring-rest"
      cx="9"
      cy="9"
      r={radius}
      stroke-dasharray={length}
      stroke-dashoffset={length * (1 - Math.min(Math.max(isBusy ? 0.25 : share, 0), 1))}
    />
  </svg>
)
