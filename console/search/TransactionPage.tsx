import { useRequest } from '../api/useRequest.ts'
import { useTitle } from '../browser/useTitle.ts'
import { NetworkFinder } from '../networks/NetworkFinder.tsx'
import { type Network, useNetworks } from '../networks/NetworksProvider.tsx'
import { paths } from '../networks/paths.ts'
import { MissingId } from '../networks/target/MissingId.tsx'
import { useNamedNetwork } from '../networks/useNamedNetwork.ts'
import { Competition } from '../order/competition/Competition.tsx'
import { OrderList } from '../order/rows/OrderList.tsx'
import { Icon } from '../ui/elements/Icon.tsx'
import { Failure } from '../ui/Failure.tsx'
import { HexText } from '../ui/HexText.tsx'
import { RawJson } from '../ui/RawJson.tsx'
import { shorten } from '../ui/shorten.ts'
import { toId } from '../ui/toDigits.ts'
import { computeTokenFlow } from './computeTokenFlow.ts'
import { loadTransaction } from './loadTransaction.ts'
import { TokenFlowTable } from './TokenFlowTable.tsx'
import { TransactionFacts } from './TransactionFacts.tsx'

/** `/transactions/{hash}`: orders settled by a transaction, and its auction. */
export const TransactionPage = ({ hash: given }: { hash: string }) => {
  const hash = toId(given)
  const network = useNamedNetwork()
  const networks = useNetworks()
  useTitle(`Transaction ${shorten(hash)}`)
  return (
    <div class="page">
      {network ? (
        <TransactionView key={`${network.name} ${hash}`} network={network} hash={hash} />
      ) : (
        <NetworkFinder
          networks={networks}
          what={`transaction ${hash}`}
          load={(name, signal) => loadTransaction(name, hash, signal)}
          toPath={(name) => paths.transaction(name, hash)}
          renderMissing={(retry) => (
            <MissingId kind="transaction" id={hash} searched={networks.map(({ label }) => label)} retry={retry} />
          )}
        />
      )}
    </div>
  )
}

const TransactionView = ({ network, hash }: { network: Network; hash: string }) => {
  const elsewhere = useNetworks().length > 1 ? paths.transaction(undefined, hash) : undefined
  const { data, failure, reload } = useRequest('transaction', (signal) => loadTransaction(network.name, hash, signal))
  const settlements = data?.competition?.solutions.filter(({ txHash }) => txHash === hash) ?? []
  const flows = data ? computeTokenFlow(network, data.trades) : []
  const explorer = network.explorerUrl === null ? undefined : `${network.explorerUrl}/tx/${hash}`
  if (!data && failure?.facts.status === 404) {
    const found = { searched: [network.label], elsewhere, explorer }
    return <MissingId kind="transaction" id={hash} {...found} retry={reload} />
  }
  return (
    <>
      <div class="page-head">
        <h1>
          Transaction <HexText value={hash} label="transaction hash" />
        </h1>
        {explorer !== undefined && (
          <p class="actions">
            <a class="button" href={explorer}>
              Block explorer
              <Icon name="external" size={16} />
            </a>
          </p>
        )}
      </div>
      {failure && <Failure failure={failure} retry={reload} />}
      {!data && !failure && <p class="loading">Loading …</p>}
      {data && (
        <>
          <TransactionFacts network={network} settlements={settlements} />
          <section class="panel">
            <h2>{data.orders.length === 1 ? 'Settled order' : `${data.orders.length} settled orders`}</h2>
            <OrderList network={network} orders={data.orders} />
          </section>
          {flows.length > 0 && (
            <section class="panel">
              <h2>Token flow</h2>
              <TokenFlowTable network={network} flows={flows} />
            </section>
          )}
          {data.competition ? (
            <section class="panel">
              <h2>
                Competition in{' '}
                <a href={paths.auction(network.name, data.competition.auctionId)}>
                  auction {data.competition.auctionId}
                </a>
              </h2>
              <Competition network={network} competition={data.competition} />
            </section>
          ) : (
            <p class="muted">Settled outside this order book’s auctions, by another party.</p>
          )}
          <RawJson
            title="Orders as JSON"
            value={data.orders}
            href={`/${network.name}/api/v1/transactions/${hash}/orders`}
          />
          {data.competition && (
            <RawJson
              title="Competition as JSON"
              value={data.competition}
              href={`/${network.name}/api/v2/solver_competition/by_tx_hash/${hash}`}
            />
          )}
        </>
      )}
    </>
  )
}
