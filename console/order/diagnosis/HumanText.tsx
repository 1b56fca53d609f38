import type { Network } from '../../networks/NetworksProvider.tsx'
import { TokenAmount } from '../../tokens/TokenAmount.tsx'
import { keepPercents } from '../../ui/keepPercents.ts'
import type { Order } from '../loading/loadOrder.ts'
import type { TokenPair } from '../terms/useTokenPair.ts'
import { IdText } from './IdText.tsx'
import { type Part, splitMessage } from './splitMessage.ts'

type Context = { network: Network; order: Order; pair: TokenPair }

/** A sentence of the API with amounts in whole tokens, links and local times. */
export const HumanText = ({ text, ...context }: Context & { text: string }) => (
  <>{splitMessage(text).map((part) => toElement(part, context))}</>
)

const toElement = (part: Part, { network, order, pair }: Context) => {
  if (typeof part === 'string') return keepPercents(part)
  switch (part.kind) {
    case 'amount':
      return part.atoms.map((atoms, i) => (
        <>
          {i > 0 && ' of '}
          <TokenAmount network={network} token={toShown(part.token, order, pair)} amount={atoms} />
        </>
      ))
    case 'price':
      return <span class="amount">{pair.formatAtomsPrice(part.price) ?? `${part.price} atoms per atom`}</span>
    case 'hex':
      return <IdText network={network} value={part.value} />
    case 'time':
      return <time dateTime={part.time}>{absolute.format(new Date(part.time))}</time>
  }
}

const toShown = (token: string, { sellToken }: Order, { sell }: TokenPair): string =>
  token === sellToken ? sell : token

const absolute = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'medium', hourCycle: 'h23' })
