import { useId } from 'preact/hooks'
import { type ApprovalSize, computeApproval } from '../../actions/approval.ts'
import type { Draft } from '../draft/draft.ts'
import { describeAmount } from '../signing/describeAmount.ts'

type Props = {
  draft: Draft
  /** sell token atoms */
  needed: bigint
  size: ApprovalSize
  onChoose: (size: ApprovalSize) => void
  isDisabled?: boolean
}

/** The approved amount: that of the order or without limit, as the owner chooses. */
export const ApprovalSizeField = ({ draft: { kind, sell }, needed, size, onChoose, isDisabled = false }: Props) => {
  const name = useId()
  const choices: Record<ApprovalSize, string> = {
    trade: `${describeAmount(sell, computeApproval('trade', kind, needed))} for this order`,
    unlimited: 'Unlimited: once per token, also for later orders',
  }
  return (
    <fieldset class="choices">
      <legend class="visually-hidden">Approved amount</legend>
      {Object.entries(choices).map(([value, label]) => (
        <label key={value} class="check">
          <input
            type="radio"
            name={name}
            checked={size === value}
            disabled={isDisabled}
            onChange={() => onChoose(value as ApprovalSize)}
          />
          {label}
        </label>
      ))}
    </fieldset>
  )
}
