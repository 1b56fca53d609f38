import { useTitle } from '../browser/useTitle.ts'
import { type Network, useNetwork } from '../networks/NetworksProvider.tsx'
import { paths } from '../networks/paths.ts'
import { isListed } from '../tokens/isListed.ts'
import { TokenLogo } from '../tokens/logos/TokenLogo.tsx'
import type { Token } from '../tokens/token.ts'
import { useTokenList } from '../tokens/useTokenList.ts'
import { useTokenLookup } from '../tokens/useTokenLookup.ts'
import { Chip } from '../ui/elements/Chip.tsx'
import { Icon } from '../ui/elements/Icon.tsx'
import { Skeleton } from '../ui/elements/Skeleton.tsx'
import { shorten } from '../ui/shorten.ts'
import { MissingToken } from './MissingToken.tsx'
import { TokenFacts } from './TokenFacts.tsx'
import { TokenLists } from './TokenLists.tsx'
import './tokenPage.css'

/** `/tokens/{token}`: facts, price, markets, trades, orders and holders of a token. The address has the whole state. */
export const TokenPage = ({ token: given }: { token: string }) => {
  const address = given.toLowerCase()
  const network = useNetwork()
  return <TokenView key={`${network.name} ${address}`} network={network} address={address} />
}

const TokenView = ({ network, address }: { network: Network; address: string }) => {
  const isAddress = /^0x[0-9a-f]{40}$/.test(address)
  const { data: list = [], failure: listFailure } = useTokenList(network.name)
  const lookup = useTokenLookup(network, isAddress ? address : '', list)
  const token: Token | undefined = lookup.state === 'known' ? lookup.token : undefined
  useTitle(`Token ${token?.symbol ?? shorten(address)}`)
  if (!isAddress || lookup.state === 'unknown')
    return <MissingToken network={network} address={address} isAddress={isAddress} listed={list} />
  return (
    <div class="page token-page">
      <div class="page-head">
        <TokenLogo network={network} token={token ?? { address }} size={44} />
        <h1>
          {token?.name ?? 'Token'} {token?.symbol && <span class="muted">{token.symbol}</span>}
        </h1>
        {list.length === 0 ? (
          !listFailure && <Skeleton width="4rem" />
        ) : isListed(list, address) ? (
          <Chip tone="ok">Listed</Chip>
        ) : (
          <Chip tone="act">Unlisted</Chip>
        )}
        <p class="actions">
          {network.explorerUrl !== null && (
            <a class="button" href={`${network.explorerUrl}/token/${address}`}>
              Block explorer
              <Icon name="external" size={16} />
            </a>
          )}
          <a class="button primary" href={`${paths.trade(network.name)}&sell=${address}`}>
            Trade
          </a>
        </p>
      </div>
      {list.length > 0 && !isListed(list, address) && (
        <p class="notice warning">
          This token is not on the list of this service. Anyone can give a token any name and symbol: compare its
          address with a source that you trust.
        </p>
      )}
      <TokenFacts
        network={network}
        address={address}
        token={token}
        listed={list}
        isListKnown={list.length > 0 || listFailure !== null}
      />
      <TokenLists network={network} token={token ?? { address }} />
    </div>
  )
}
