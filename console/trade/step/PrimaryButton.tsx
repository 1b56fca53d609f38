type Props = { label: string; disabled?: boolean; onClick?: () => void }

/** The button of the next step. */
export const PrimaryButton = ({ label, disabled = false, onClick }: Props) => (
  <button type="button" class="primary wide" disabled={disabled} onClick={onClick}>
    {label}
  </button>
)
