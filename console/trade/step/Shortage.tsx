import type { Draft } from '../draft/draft.ts'
import { describeAmount } from '../signing/describeAmount.ts'
import { PrimaryButton } from './PrimaryButton.tsx'

type Props = { draft: Draft; available: bigint; needed: bigint }

/** The balance is below the sell amount. */
export const Shortage = ({ draft: { sell }, available, needed }: Props) => (
  <>
    <p class="notice warning">
      You have {describeAmount(sell, available)}; the order needs {describeAmount(sell, needed)}.
    </p>
    <PrimaryButton label={`Insufficient ${sell?.symbol ?? 'token'} balance`} disabled />
  </>
)
