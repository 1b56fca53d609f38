import type { Network } from '../../networks/NetworksProvider.tsx'
import { Chip, type ChipTone } from '../../ui/elements/Chip.tsx'
import { TimeText } from '../../ui/TimeText.tsx'
import type { DebugReport, Order } from '../loading/loadOrder.ts'
import { describeVerdict, type StateTone } from '../state/describeVerdict.ts'
import type { TokenPair } from '../terms/useTokenPair.ts'
import { DiagnosisFacts } from './DiagnosisFacts.tsx'
import { DryRun } from './DryRun.tsx'
import { HumanText } from './HumanText.tsx'

type Diagnosis = DebugReport['diagnosis']

type Props = { network: Network; order: Order; pair: TokenPair; diagnosis: Diagnosis }

/** Diagnoses that the owner can cure at once; amber is for these alone. */
const curable: ReadonlySet<string> = new Set<Diagnosis['code']>([
  'insufficient_allowance',
  'insufficient_balance',
  'presignature_pending',
])

/** Colours of the panel; waiting is grey. */
const looks: Record<ChipTone, string> = {
  ok: 'ok',
  live: '',
  waiting: 'ended',
  act: 'warning',
  error: 'error',
  ended: 'ended',
}

const toTone = (code: string, tone: StateTone): ChipTone => {
  if (curable.has(code) && tone !== 'ended') return 'act'
  if (tone === 'warning') return 'waiting'
  return tone === 'info' ? 'live' : tone
}

/** Diagnosis of an order and advice for its owner. */
export const DiagnosisPanel = ({ network, order, pair, diagnosis }: Props) => {
  const { severity, message, suggestion, since, data } = diagnosis
  const verdict = describeVerdict(order, diagnosis)
  const tone = toTone(diagnosis.code, verdict.tone)
  return (
    <section class={`notice diagnosis ${looks[tone]}`} aria-labelledby="diagnosis">
      <h2 id="diagnosis" class="visually-hidden">
        Diagnosis
      </h2>
      <p class="diagnosis-head">
        <Chip tone={tone}>{verdict.text}</Chip>
        {since !== null && (
          <span class="muted">
            <TimeText time={since} />
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
      {severity !== 'ok' && <DiagnosisFacts network={network} pair={pair} data={data} />}
      {order.status === 'open' && <DryRun network={network} order={order} pair={pair} />}
    </section>
  )
}
