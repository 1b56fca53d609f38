import { useState } from 'preact/hooks'
import { type ApprovalSize, computeApproval } from '../../actions/approval.ts'
import type { Network } from '../../networks/NetworksProvider.tsx'
import { HexText } from '../../ui/HexText.tsx'
import type { Draft } from '../draft/draft.ts'
import { describeAction } from '../signing/describeOrder.ts'
import { ApprovalSizeField } from './ApprovalSizeField.tsx'

type Props = {
  network: Network
  draft: Draft
  /** sell token atoms */
  needed: bigint
  /** @param value sell token atoms to approve */
  sign: (value: bigint) => void
  /** approves by a transaction instead */
  decline: () => void
}

/** Signs the approval of the vault relayer and the order with it. */
export const PermitStep = ({ network, draft, needed, sign, decline }: Props) => {
  const [size, setSize] = useState<ApprovalSize>('trade')
  const { kind, sell } = draft
  const symbol = sell?.symbol ?? 'the sell token'
  return (
    <div class="approve-step">
      <p>
        Allow the vault relayer to spend your {symbol}. It moves tokens only for orders that you signed.{' '}
        <HexText value={network.vaultRelayer} label="address of the vault relayer" />
      </p>
      <ApprovalSizeField draft={draft} needed={needed} size={size} onChoose={setSize} />
      <button type="button" class="primary wide" onClick={() => sign(computeApproval(size, kind, needed))}>
        {describeAction(draft)}
      </button>
      <p class="fine">Two signatures: the approval, then the order. No transaction, no gas.</p>
      <button type="button" onClick={decline}>
        Approve by a transaction instead
      </button>
    </div>
  )
}
