/** Says in a word, not by its colour alone, that a limit is crossed. */
export const AlarmBadge = ({ limit }: { limit?: string | null | undefined }) => (
  <span class="alarm-badge">
    <strong class="badge error">alarm</strong>
    {limit && <span class="fine"> over {limit}</span>}
  </span>
)
