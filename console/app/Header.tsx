import { useLocation } from 'preact-iso'
import { NetworkSelect } from '../networks/NetworkSelect.tsx'
import { useNetwork } from '../networks/NetworksProvider.tsx'
import { paths } from '../networks/paths.ts'
import { SearchBox } from '../search/SearchBox.tsx'
import { Icon } from '../ui/elements/Icon.tsx'
import { WalletDialog } from '../wallet/WalletDialog.tsx'
import { WalletMenu } from '../wallet/WalletMenu.tsx'
import { Brand } from './Brand.tsx'
import { pages } from './pages.ts'

/** Top of every page: navigation, search, network and account. On phones the navigation is at the bottom. */
export const Header = () => {
  const { path } = useLocation()
  const network = useNetwork()
  return (
    <header class="site-header">
      <Brand href={paths.trade(network.name)} />
      <nav aria-label="Pages">
        {pages.map(({ label, icon, toPath, isCurrent }) => (
          <a key={label} href={toPath(network.name)} aria-current={isCurrent(path) ? 'page' : undefined}>
            <Icon name={icon} />
            {label}
          </a>
        ))}
        <a href="/docs" target="_self">
          <Icon name="book" />
          Docs
        </a>
      </nav>
      <SearchBox />
      <NetworkSelect />
      <WalletMenu network={network} />
      <WalletDialog />
    </header>
  )
}
