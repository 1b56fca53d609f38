import { MarketPanel } from '../market/MarketPanel.tsx'
import type { Network } from '../networks/NetworksProvider.tsx'
import type { Token } from '../tokens/token.ts'
import { useUsdPrices } from '../tokens/useUsdPrices.ts'
import { Skeleton } from '../ui/elements/Skeleton.tsx'
import { Tile } from '../ui/elements/Tile.tsx'
import { formatUsdPrice } from '../ui/formatUsd.ts'
import { HexText } from '../ui/HexText.tsx'
import { chooseQuoteToken } from './chooseQuoteToken.ts'
import { MarketTable } from './MarketTable.tsx'

type Props = {
  network: Network
  address: string
  token: Token | undefined
  listed: readonly Token[]
  isListKnown: boolean
}

/** Price, decimals and address of the token, its market and its other markets. */
export const TokenFacts = ({ network, address, token, listed, isListKnown }: Props) => {
  const prices = useUsdPrices(network, isListKnown ? [...new Set([address, ...listed.map((one) => one.address)])] : [])
  const price = prices?.get(address)
  const quote = prices && chooseQuoteToken(listed, prices, address, network.wrappedNative)
  const market = token && quote && { base: token, quote }
  return (
    <>
      <section class="tiles" aria-label="Facts">
        <Tile title="Price" value={prices ? formatUsdPrice(price) : <Skeleton width="5rem" />}>
          {prices && price === undefined ? 'No known price' : 'US dollars'}
        </Tile>
        <Tile title="Symbol" value={token ? (token.symbol ?? '–') : <Skeleton width="4rem" />}>
          {token?.name ?? 'No name'}
        </Tile>
        <Tile title="Decimals" value={token ? (token.decimals ?? '–') : <Skeleton width="2rem" />}>
          {token?.decimals === undefined
            ? 'Unknown'
            : `1 ${token.symbol ?? 'token'} = 10${toPower(token.decimals)} atoms`}
        </Tile>
        <Tile title="Address" value={<HexText value={address} label="token address" />}>
          on {network.label}
        </Tile>
      </section>
      <MarketPanel
        network={network}
        market={market}
        prices={prices}
        isLoading={prices === undefined || token === undefined}
        markets={<MarketTable network={network} token={token ?? { address }} listed={listed} prices={prices} />}
      />
    </>
  )
}

const digits = '⁰¹²³⁴⁵⁶⁷⁸⁹'
const toPower = (value: number): string => [...String(value)].map((digit) => digits[Number(digit)]).join('')
