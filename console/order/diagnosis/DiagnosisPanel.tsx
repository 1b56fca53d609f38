import type { Network } from '../../networks/NetworksProvider.tsx'
import { Chip, type ChipTone } from '../../ui/elements/Chip.tsx'
import { TimeText } from '../../ui/TimeText.tsx'
import type { DebugReport, Order } from '../loading/loadOrder.ts'
import { describeVerdict } from '../state/describeState.ts'
import type { TokenPair } from '../terms/useTokenPair.ts'
import { DiagnosisFacts } from './DiagnosisFacts.tsx'
import { DryRun } from './DryRun.tsx'
import { HumanText } from './HumanText.tsx'

type Diagnosis = DebugReport['diagnosis']

type Props = { network: Network; order: Order; pair: TokenPair; diagnosis: Diagnosis }

const chipTones: Record<ReturnType<typeof describeVerdict>['tone'], ChipTone> = {
  ok: 'ok',
  info: 'live',
  warning: 'act',
  error: 'error',
  ended: 'ended',
}

/** Diagnosis of an order and advice for its owner. */
export const DiagnosisPanel = ({ network, order, pair, diagnosis }: Props) => {
  const { severity, message, suggestion, since, data } = diagnosis
  const verdict = describeVerdict(order, diagnosis)
  return (
    <section class={`notice diagnosis ${verdict.tone}`} aria-labelledby="diagnosis">
      <h2 id="diagnosis" class="visually-hidden">
        Diagnosis
      </h2>
      <p class="diagnosis-head">
        <Chip tone={chipTones[verdict.tone]}>{verdict.text}</Chip>
        {since !== null && (
          <span class="muted">
            {' '}
            since <TimeText time={since} />
          </span>
        )}
      </p>
      <p class="diagnosis-message">
        <HumanText text={message} network={network} order={order} pair={pair} />
      </p>
      {suggestion !== null && (
        <p>
          <strong>Next step: </strong>
          <HumanText text={suggestion} network={network} order={order} pair={pair} />
        </p>
      )}
      {severity !== 'ok' && <DiagnosisFacts network={network} order={order} pair={pair} data={data} />}
      {order.status === 'open' && <DryRun network={network} order={order} pair={pair} />}
    </section>
  )
}
