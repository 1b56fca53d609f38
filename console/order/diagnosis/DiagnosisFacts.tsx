import type { Network } from '../../networks/NetworksProvider.tsx'
import { TokenAmount } from '../../tokens/TokenAmount.tsx'
import { FactGrid } from '../../ui/FactGrid.tsx'
import { TimeText } from '../../ui/TimeText.tsx'
import type { TokenPair } from '../terms/useTokenPair.ts'
import { IdText } from './IdText.tsx'
import { listDiagnosisFacts } from './listDiagnosisFacts.ts'
import type { DiagnosisFact } from './toFact.ts'

type Props = { network: Network; pair: TokenPair; data: Record<string, unknown> }

/** Figures of a diagnosis or of an event. */
export const DiagnosisFacts = ({ network, pair, data }: Props) => {
  const facts = listDiagnosisFacts(data, { sellToken: pair.sell, buyToken: pair.buy })
  if (facts.length === 0) return null
  return <FactGrid facts={facts.map((fact) => ({ name: fact.label, value: toElement(fact, network, pair) }))} />
}

const toElement = (fact: DiagnosisFact, network: Network, pair: TokenPair) => {
  switch (fact.kind) {
    case 'amount':
      return <TokenAmount network={network} token={fact.token} amount={fact.atoms} />
    case 'price':
      return pair.formatAtomsPrice(fact.price) ?? `${fact.price} atoms per atom`
    case 'time':
      return <TimeText time={fact.value} />
    case 'text':
      return fact.value
    default:
      return <IdText network={network} value={fact.value} />
  }
}
