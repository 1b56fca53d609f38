import { useState } from 'preact/hooks'
import { buildPlaceholderHook } from '../actions/permit.ts'
import { needsReset } from '../actions/readFunding.ts'
import { useApproval } from '../actions/useApproval.ts'
import { useBalances } from '../actions/useBalances.ts'
import { usePermit } from '../actions/usePermit.ts'
import type { components } from '../api/openapi.d.ts'
import type { Network } from '../networks/NetworksProvider.tsx'
import { paths } from '../networks/paths.ts'
import { nativeSentinel } from '../tokens/nativeSentinel.ts'
import { toNative } from '../tokens/toNative.ts'
import { useTokenList } from '../tokens/useTokenList.ts'
import { useUsdPrices } from '../tokens/useUsdPrices.ts'
import { Skeleton } from '../ui/elements/Skeleton.tsx'
import { useToast } from '../ui/elements/ToastProvider.tsx'
import { Failure } from '../ui/Failure.tsx'
import { lazyPart } from '../ui/lazyPart.tsx'
import { useOnChange } from '../ui/useOnChange.ts'
import { useAbilities } from '../wallet/useAbilities.ts'
import { useWallet } from '../wallet/WalletProvider.tsx'
import { ActivityPanel } from './activity/ActivityPanel.tsx'
import { useAccountOrders } from './activity/useAccountOrders.ts'
import { findTradeRoute, toWrappedSale } from './draft/findTradeRoute.ts'
import { useTrade } from './draft/useTrade.ts'
import { useTradeTerms } from './draft/useTradeTerms.ts'
import { FollowedOrderPanel } from './following/FollowedOrderPanel.tsx'
import { TradeForm } from './form/TradeForm.tsx'
import { DeskChart, DeskParts } from './market/DeskMarket.tsx'
import { buildAppData } from './quote/appData.ts'
import { toQuoteInput, toQuoteKey } from './quote/quoteInput.ts'
import { useQuote } from './quote/useQuote.ts'
import { useOnchainTrade } from './signing/useOnchainTrade.ts'
import { useOrderPosting } from './signing/useOrderPosting.ts'
import { OrderStep } from './step/OrderStep.tsx'
import { readTwapTerms, toPartDraft } from './twap/twapTerms.ts'

type Funding = components['schemas']['Funding']

const TwapStep = lazyPart(
  () => import('./twap/TwapStep.tsx').then((module) => module.TwapStep),
  () => (
    <div class="order-step">
      <Skeleton width="100%" />
    </div>
  ),
)
const ConditionalOrders = lazyPart(() =>
  import('../order/strategies/ConditionalOrders.tsx').then((module) => module.ConditionalOrders),
)

/** Tokens with watched balances; the API accepts 200. */
const maxWatched = 150

/** Trade page of a network: the form with its quote, and the market and the orders of the account beside it. */
export const TradeDesk = ({ network }: { network: Network }) => {
  const { connection, openChoices } = useWallet()
  const toast = useToast()
  const list = useTokenList(network.name)
  const tokens = list.data ?? (list.failure ? [] : undefined)
  const [terms, change] = useTradeTerms(network, tokens)
  const { draft, isLoading } = useTrade(network, terms, tokens, connection)
  const owner = connection?.address ?? null
  const orders = useAccountOrders(network, owner)
  const [posted, setPosted] = useState('')
  const [progress, setProgress] = useState('')
  const [isUncapped, setUncapped] = useState(false)
  const watched = [
    terms.sell,
    terms.buy,
    nativeSentinel,
    network.wrappedNative,
    ...(tokens ?? []).map(({ address }) => address),
  ]
  const live = useBalances(network.chainId, owner, watched.filter((token) => token !== '').slice(0, maxWatched))
  const prices = useUsdPrices(network, [terms.sell, terms.buy])
  const holding = live.balances?.get(terms.sell)
  // of the newest quote with one: it outlives the quote, whose document depends on it
  const [known, setFunding] = useState<Funding | null>(null)
  const funding = known?.token.toLowerCase() === terms.sell ? known : null
  const isReset = needsReset(funding, terms.sell)
  const approval = useApproval(network, connection, { token: terms.sell, allowance: holding?.allowance, isReset })
  const abilities = useAbilities(network, connection)
  const permit = usePermit(network, connection, { token: terms.sell, funding, orders: orders.data ?? [] })
  const appData = buildAppData(permit.isOffered ? buildPlaceholderHook(terms.sell) : null, terms.replaces)
  // one batch of calls wraps the native token and signs an order of the wrapped one
  const isWrapped = abilities?.hasBatches === true && findTradeRoute(draft, network.wrappedNative) === 'native'
  const isPresigned = abilities?.isContract === true || isWrapped
  const twap = terms.type === 'twap' ? readTwapTerms(terms) : null
  const isWrappedSale = isWrapped || (twap !== null && findTradeRoute(draft, network.wrappedNative) === 'native')
  const exact = twap ? toPartDraft(draft, twap) : draft
  const ordered = isWrappedSale ? toWrappedSale(exact, network.wrappedNative) : exact
  const scheme = twap ? 'eip1271' : isPresigned ? 'presign' : 'eip712'
  const input = isLoading ? undefined : toQuoteInput(ordered, owner, network.wrappedNative, { appData, scheme })
  const onPosted = (order: string) => {
    setPosted(order)
    // prevents a second click from placing the same order again
    change({ order, amount: '', replaces: '' })
  }
  const common = { network, connection, subject: toQuoteKey(input) + terms.price, onPosted }
  const posting = useOrderPosting(common)
  const onchain = useOnchainTrade({
    ...common,
    subject: `${common.subject} ${terms.sell} ${terms.buy} ${terms.amount}`,
    onWrapped: (direction) => {
      toast({ id: direction, tone: 'ok', label: direction === 'wrap' ? 'Wrapped' : 'Unwrapped', text: 'Confirmed' })
      change({ amount: '' })
    },
    onUnsigned: (why) => toast({ id: 'presign', tone: 'act', label: 'Not signed', text: why }),
    hasBatches: abilities?.hasBatches === true,
    isReset,
  })
  const { phase } = posting.state
  const [isCreating, setCreating] = useState(false)
  const [created, setCreated] = useState(0)
  const isSigning =
    phase === 'permitting' || phase === 'signing' || phase === 'posting' || onchain.task !== null || isCreating
  const quote = useQuote(network.name, input, isSigning)
  useOnChange(() => {
    if (quote.offer?.quote.funding) setFunding(quote.offer.quote.funding)
  }, [quote.offer])
  const step = {
    ...{ network, draft, isLoading, quote, holding, prices, isReset, abilities, isUncapped },
    isRequested: input !== undefined || (isLoading && terms.amount !== ''),
  }
  return (
    <div class="page trade">
      <h1 class="visually-hidden">Trade on {network.label}</h1>
      <div class={terms.order ? 'trade-card' : 'trade-card sticky'}>
        <section class="card" aria-label="Order form">
          {list.failure && <Failure failure={list.failure} retry={list.reload} />}
          {terms.replaces !== '' && (
            <p class="notice replaces">
              <span>
                Replaces <a href={paths.order(network.name, terms.replaces)}>your open order</a> with one signature.
              </span>
              <button type="button" class="small" onClick={() => change({ replaces: '' })}>
                Place a new one
              </button>
            </p>
          )}
          <TradeForm
            network={network}
            terms={terms}
            change={change}
            draft={draft}
            offer={quote.offer}
            parts={twap?.parts ?? 1}
            tokens={[toNative(network), ...(tokens ?? [])]}
            live={live}
            prices={prices}
            isDisabled={isSigning}
            isUncapped={isUncapped}
            setUncapped={setUncapped}
          />
          {twap ? (
            <TwapStep
              {...{ ...step, terms, twap, change }}
              allowance={live.balances?.get(isWrappedSale ? network.wrappedNative : terms.sell)?.allowance}
              onBusy={setCreating}
              onCreated={() => {
                toast({
                  id: 'twap',
                  tone: 'ok',
                  label: 'TWAP created',
                  text: 'Its parts are listed below your orders.',
                })
                setCreated(created + 1)
                change({ amount: '' })
              }}
            />
          ) : (
            <OrderStep
              {...step}
              isReadingBalances={live.isReading}
              posting={posting}
              approval={approval}
              onchain={onchain}
              wrappedAllowance={live.balances?.get(network.wrappedNative)?.allowance}
              permit={permit}
              appData={appData}
              replaces={terms.replaces}
            />
          )}
        </section>
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
      <div class="trade-chart">
        <DeskChart
          network={network}
          draft={draft}
          isLoading={isLoading}
          prices={prices}
          owner={owner}
          orders={orders.data}
          change={change}
        />
      </div>
      <div class="trade-middle">
        <DeskParts network={network} draft={draft} prices={prices} offer={quote.offer} />
      </div>
      <div class="trade-side">
        {owner ? (
          <ActivityPanel
            key={owner}
            network={network}
            owner={owner}
            orders={orders}
            posted={posted}
            balances={live.balances}
            followed={progress || terms.order}
          />
        ) : (
          <section class="panel activity-invitation" aria-label="Your orders">
            <h2>Your orders</h2>
            <p class="muted">Connect a wallet to see your open orders, your history and your notifications.</p>
            <button type="button" onClick={openChoices}>
              Connect wallet
            </button>
          </section>
        )}
        {twap && owner && <ConditionalOrders key={`${owner} ${created}`} network={network} account={owner} />}
      </div>
    </div>
  )
}
