import { useState } from 'preact/hooks'
import type { Network } from '../networks/NetworksProvider.tsx'
import { nativeSentinel } from '../tokens/nativeSentinel.ts'
import { toNative } from '../tokens/toNative.ts'
import { useTokenList } from '../tokens/useTokenList.ts'
import { useUsdPrices } from '../tokens/useUsdPrices.ts'
import { Failure } from '../ui/Failure.tsx'
import { WalletDialog } from '../wallet/WalletDialog.tsx'
import { WalletPanel } from '../wallet/WalletPanel.tsx'
import { useWallet } from '../wallet/WalletProvider.tsx'
import { useTrade } from './draft/useTrade.ts'
import { useTradeTerms } from './draft/useTradeTerms.ts'
import { FollowedOrderPanel } from './following/FollowedOrderPanel.tsx'
import { RecentOrders } from './following/RecentOrders.tsx'
import { TradeForm } from './form/TradeForm.tsx'
import { useApproval } from './funds/useApproval.ts'
import { useBalances } from './funds/useBalances.ts'
import { OfferPanel } from './quote/OfferPanel.tsx'
import { toQuoteInput, toQuoteKey } from './quote/quoteInput.ts'
import { useQuote } from './quote/useQuote.ts'
import { OrderPanel } from './signing/OrderPanel.tsx'
import { useOrderPosting } from './signing/useOrderPosting.ts'

/** Tokens with watched balances; the API accepts 200. */
const maxWatched = 150

/** Trade page of a network: terms, quote, order. */
export const TradeDesk = ({ network }: { network: Network }) => {
  const [isChoosing, setIsChoosing] = useState(false)
  const { connection } = useWallet()
  const list = useTokenList(network.name)
  const tokens = list.data ?? (list.failure ? [] : undefined)
  const [terms, change] = useTradeTerms(network, tokens)
  const { draft, isLoading } = useTrade(network, terms, tokens)
  const owner = connection?.address ?? null
  const [posted, setPosted] = useState('')
  const [progress, setProgress] = useState('')
  const input = isLoading ? undefined : toQuoteInput(draft, owner)
  const posting = useOrderPosting({
    network,
    connection,
    subject: toQuoteKey(input) + terms.price,
    onPosted: (order) => {
      setPosted(order)
      // prevents a second click from placing the same order again
      change({ order, amount: '' })
    },
  })
  const isSigning = posting.state.phase === 'signing' || posting.state.phase === 'posting'
  const quote = useQuote(network.name, input, isSigning)
  const watched = [terms.sell, terms.buy, nativeSentinel, ...(tokens ?? []).map(({ address }) => address)]
  const live = useBalances(network.chainId, owner, watched.filter((token) => token !== '').slice(0, maxWatched))
  const prices = useUsdPrices(network, [terms.sell, terms.buy])
  const holding = live.balances?.get(terms.sell)
  const approval = useApproval(network, connection, { token: terms.sell, allowance: holding?.allowance })

  return (
    <div class="page trade">
      <h1>Trade on {network.label}</h1>
      <WalletPanel network={network} openChoices={() => setIsChoosing(true)} />
      <WalletDialog isOpen={isChoosing} close={() => setIsChoosing(false)} />
      {list.failure && <Failure failure={list.failure} retry={list.reload} />}
      <div class="trade-columns">
        <div>
          <TradeForm
            network={network}
            terms={terms}
            change={change}
            draft={draft}
            offer={quote.offer}
            sellTokens={tokens ?? []}
            buyTokens={[toNative(network), ...(tokens ?? [])]}
            live={live}
            prices={prices}
            isDisabled={isSigning}
          />
          <OrderPanel
            network={network}
            draft={draft}
            isLoading={isLoading}
            quote={quote}
            holding={holding}
            prices={prices}
            posting={posting}
            approval={approval}
            connect={() => setIsChoosing(true)}
          />
        </div>
        <div>
          <OfferPanel
            draft={draft}
            quote={quote}
            isRequested={input !== undefined}
            isLoading={isLoading}
            prices={prices}
          />
          {terms.order && (
            <FollowedOrderPanel
              key={terms.order}
              network={network}
              uid={terms.order}
              isNew={terms.order === posted}
              close={() => change({ order: '' })}
              onProgress={setProgress}
            />
          )}
        </div>
      </div>
      {owner && <RecentOrders network={network} owner={owner} followed={progress || terms.order} />}
    </div>
  )
}
