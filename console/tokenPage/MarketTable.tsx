import { formatMarketPrice } from '../market/market.ts'
import type { Network } from '../networks/NetworksProvider.tsx'
import { paths } from '../networks/paths.ts'
import { PairLogos } from '../tokens/logos/PairLogos.tsx'
import { nativeSentinel } from '../tokens/nativeSentinel.ts'
import type { Token } from '../tokens/token.ts'
import type { UsdPrices } from '../tokens/useUsdPrices.ts'
import { shorten } from '../ui/shorten.ts'

type Props = {
  network: Network
  token: Token
  listed: readonly Token[]
  prices: UsdPrices | undefined
}

const maxMarkets = 8

/** Pairs of a token with the listed tokens; each leads to its trade form. */
export const MarketTable = ({ network, token, listed, prices }: Props) => {
  const own = prices?.get(token.address)
  const others = listed.filter(({ address }) => address !== token.address && address !== nativeSentinel)
  const name = token.symbol ?? shorten(token.address)
  return (
    <>
      {prices && others.length === 0 && <p class="muted">No other token is listed on {network.label}.</p>}
      <ul class="token-markets">
        {others.slice(0, maxMarkets).map((other) => {
          const price = prices?.get(other.address)
          const otherName = other.symbol ?? shorten(other.address)
          return (
            <li key={other.address}>
              <PairLogos network={network} sell={token.address} buy={other.address} size={24} />
              <a href={paths.tradePair(network.name, token.address, other.address)}>
                {name} / {otherName}
              </a>
              <span class="number muted">{own !== undefined && price ? formatMarketPrice(own / price) : '–'}</span>
            </li>
          )
        })}
      </ul>
    </>
  )
}
