import { useTransaction } from '../../actions/useTransaction.ts'
import type { Network } from '../../networks/NetworksProvider.tsx'
import { TokenAmount } from '../../tokens/TokenAmount.tsx'
import { Bar } from '../../ui/Bar.tsx'
import { Chip } from '../../ui/elements/Chip.tsx'
import { FactGrid } from '../../ui/FactGrid.tsx'
import { formatDuration } from '../../ui/formatDuration.ts'
import { TimeText } from '../../ui/TimeText.tsx'
import { useNow } from '../../ui/useNow.ts'
import { useWallet } from '../../wallet/WalletProvider.tsx'
import { TransactionButton } from '../TransactionButton.tsx'
import { buildRemoval } from './buildRemoval.ts'
import {
  type ConditionalOrder,
  describeEvaluation,
  describeProgress,
  findConditionalState,
  readTerms,
  typeNames,
} from './describeConditional.ts'
import { PartTable } from './PartTable.tsx'
import { PriceText } from './PriceText.tsx'

type Props = { network: Network; order: ConditionalOrder }

/** A conditional order: its terms, its progress with the average price, its parts, and its cancellation. */
export const ConditionalCard = ({ network, order }: Props) => {
  const { type, progress, parts, next, evaluation } = order
  const [newest] = parts
  const { label, tone } = findConditionalState(order)
  return (
    <li class="conditional-order">
      <div class="conditional-head">
        <h3>
          {typeNames[type]} <Chip tone={tone}>{label}</Chip>
        </h3>
        <Removal network={network} order={order} />
      </div>
      <Terms network={network} order={order} />
      <p class="conditional-progress">
        {progress.parts !== null && (
          <Bar permille={Math.min(1_000, Math.round((progress.filled / progress.parts) * 1_000))} />
        )}
        <span class="number">{describeProgress(order)}</span>
      </p>
      <FactGrid
        facts={[
          progress.averagePrice !== null &&
            newest !== undefined && {
              name: 'Sold',
              value: <Sold network={network} progress={progress} part={newest} />,
            },
          progress.averagePrice !== null &&
            newest !== undefined && {
              name: 'Average price',
              value: <PriceText network={network} exchange={{ ...newest, ...progress }} />,
            },
          { name: 'Next evaluation', value: <NextEvaluation next={next} /> },
          { name: 'Newest evaluation', value: describeEvaluation(evaluation) },
        ]}
      />
      {parts.length > 0 && (
        <details>
          <summary>Parts</summary>
          <PartTable network={network} order={order} />
        </details>
      )}
    </li>
  )
}

/** `Sell 1 WETH in 4 parts, one every 30 min, each for at least 700 USDC`; only of a TWAP. */
const Terms = ({ network, order }: Props) => {
  const twap = readTerms(order)
  if (!twap) return null
  return (
    <p class="conditional-terms">
      Sell <TokenAmount network={network} token={twap.sellToken} amount={twap.partSellAmount * twap.n} /> in{' '}
      {String(twap.n)} parts, one every {formatDuration(Number(twap.t) * 1_000)}, each for at least{' '}
      <TokenAmount network={network} token={twap.buyToken} amount={twap.minPartLimit} />
    </p>
  )
}

type SoldProps = Pick<ConditionalOrder, 'progress'> & { network: Network; part: ConditionalOrder['parts'][number] }

const Sold = ({ network, part, progress }: SoldProps) => (
  <>
    <TokenAmount network={network} token={part.sellToken} amount={progress.executedSellAmount} /> for{' '}
    <TokenAmount network={network} token={part.buyToken} amount={progress.executedBuyAmount} />
  </>
)

const NextEvaluation = ({ next }: Pick<ConditionalOrder, 'next'>) => {
  const now = useNow()
  if (!next) return 'None, it has ended'
  return Date.parse(next.time) > now ? <TimeText time={next.time} /> : `From block ${next.blockNumber} on`
}

/** Ends a conditional order by a transaction of its owner. The list shows it as ended once the service has seen that. */
const Removal = ({ network, order }: Props) => {
  const { owner, hash, proof } = order
  const { connection } = useWallet()
  const transaction = useTransaction(connection)
  const isOwner = connection?.address === owner && connection.chainId === network.chainId
  // one that has filled ends with its next evaluation
  if (findConditionalState(order).tone !== 'live') return null
  // the registry ends orders of a merkle tree by another root only
  if (proof.length > 0) return <p class="fine">Ended by another root</p>
  if (!isOwner) return <p class="fine">Connect its owner to cancel it</p>
  return (
    <div>
      <TransactionButton
        label="Cancel"
        style="small"
        state={transaction.state}
        send={() => transaction.send(buildRemoval(network.composableCow, hash))}
        stop={transaction.stop}
      />
    </div>
  )
}
