import { useLocation } from 'preact-iso'
import { NetworkSelect } from '../networks/NetworkSelect.tsx'
import { useNetwork } from '../networks/NetworksProvider.tsx'
import { paths } from '../networks/paths.ts'
import { SearchBox } from '../search/SearchBox.tsx'
import { ThemeSwitch } from './ThemeSwitch.tsx'

/** Top of every page: navigation, search and network. */
export const Header = () => {
  const { path } = useLocation()
  const { name } = useNetwork()
  const toLink = (label: string, own: string, href: string) => (
    <a href={href} aria-current={path === own ? 'page' : undefined}>
      {label}
    </a>
  )
  return (
    <header class="site-header">
      <a class="brand" href={paths.trade(name)}>
        <img src="/icon.svg" alt="" width="24" height="24" />
        edgebook
      </a>
      <nav aria-label="Pages">
        {toLink('Trade', '/', paths.trade(name))}
        {toLink('Status', '/status', paths.status(name))}
        <a href="/docs" target="_self">
          API
        </a>
      </nav>
      <SearchBox />
      <NetworkSelect />
      <ThemeSwitch />
    </header>
  )
}
