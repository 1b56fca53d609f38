/** Marks an exceeded limit with a word as well as a colour. */
export const AlarmBadge = ({ limit }: { limit?: string | null | undefined }) => (
  <span class="alarm-badge">
    <strong class="badge error">alarm</strong>
    {limit && <span class="fine"> over {limit}</span>}
  </span>
)
