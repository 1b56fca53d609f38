/** What the wallet or the order book does now, in place of the button. */
export const Waiting = ({ label, stop }: { label: string; stop?: () => void }) => (
  <div class="wallet-wait">
    <button type="button" class="primary wide" disabled>
      {label}
    </button>
    <p role="status">{label}</p>
    {stop && (
      <button type="button" onClick={stop}>
        Stop waiting
      </button>
    )}
  </div>
)
