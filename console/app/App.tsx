import type { ComponentChildren, VNode } from 'preact'
import { ErrorBoundary, LocationProvider, lazy, Route, Router, useLocation } from 'preact-iso'
import { KnownNetwork } from '../networks/KnownNetwork.tsx'
import { NetworksProvider, useNetwork } from '../networks/NetworksProvider.tsx'
import { ToastProvider } from '../ui/elements/ToastProvider.tsx'
import { WalletProvider } from '../wallet/WalletProvider.tsx'
import { Footer } from './Footer.tsx'
import { Header } from './Header.tsx'
import { LoadingFrame } from './LoadingFrame.tsx'
import { NotFoundPage } from './NotFoundPage.tsx'
import { PageBoundary } from './PageBoundary.tsx'
import { UnloadedPage } from './UnloadedPage.tsx'
import './app.css'

/** Each page is a separate file, loaded on demand. */
const lazyPage = <T,>(load: () => Promise<T>) => lazy(() => load().catch(() => UnloadedPage))

const TradePage = lazyPage(() => import('../trade/TradePage.tsx').then((module) => module.TradePage))
const OrderPage = lazyPage(() => import('../order/OrderPage.tsx').then((module) => module.OrderPage))
const AccountPage = lazyPage(() => import('../account/AccountPage.tsx').then((module) => module.AccountPage))
const TransactionPage = lazyPage(() => import('../search/TransactionPage.tsx').then((module) => module.TransactionPage))
const AuctionPage = lazyPage(() => import('../search/AuctionPage.tsx').then((module) => module.AuctionPage))
const ExplorerPage = lazyPage(() => import('../explorer/ExplorerPage.tsx').then((module) => module.ExplorerPage))
const TokenPage = lazyPage(() => import('../tokenPage/TokenPage.tsx').then((module) => module.TokenPage))
const NotificationPage = lazyPage(() =>
  import('../notifications/NotificationPage.tsx').then((module) => module.NotificationPage),
)
const StatusPage = lazyPage(() => import('../status/StatusPage.tsx').then((module) => module.StatusPage))

/** Every component in every state; not part of a build. */
const DesignPage = import.meta.env.DEV
  ? lazyPage(() => import('../design/DesignPage.tsx').then((module) => module.DesignPage))
  : null

/** All other links leave the console: to the API reference and to API responses. */
const ownPages =
  /^\/(?:$|[?#]|(?:orders|accounts|transactions|auctions|tokens)\/[^/]+$|(?:explore|notifications|status)(?:$|[?#]))/

/** Pages by path (`networks/paths.ts`). */
const routes: VNode[] = [
  <Route key="TradePage" path="/" component={TradePage} />,
  <Route key="OrderPage" path="/orders/:uid" component={OrderPage} />,
  <Route key="AccountPage" path="/accounts/:account" component={AccountPage} />,
  <Route key="TransactionPage" path="/transactions/:hash" component={TransactionPage} />,
  <Route key="AuctionPage" path="/auctions/:id" component={AuctionPage} />,
  <Route key="TokenPage" path="/tokens/:token" component={TokenPage} />,
  <Route key="ExplorerPage" path="/explore" component={ExplorerPage} />,
  <Route key="NotificationPage" path="/notifications" component={NotificationPage} />,
  <Route key="StatusPage" path="/status" component={StatusPage} />,
  <Route key="DesignPage" path="/design" component={DesignPage ?? NotFoundPage} />,
]

const findFolder = (path: string): string => path.split('/')[1] ?? ''

type RouteProps = { children?: ComponentChildren; path?: string; component?: { preload?: () => Promise<unknown> } }

/** Loads the code of the first page beside the networks, not after them. */
export const preloadPage = (path: string): void => {
  for (const { props } of routes) {
    const { path: own = '', component }: RouteProps = props
    if (findFolder(own) === findFolder(path)) void component?.preload?.()
  }
}

export const App = () => (
  <LocationProvider scope={ownPages}>
    <NetworksProvider loading={<LoadingFrame />}>
      <Frame>
        <a class="skip-link" href="#main">
          Skip to the page
        </a>
        <Header />
        <main id="main" tabIndex={-1}>
          <Guarded>
            <Router onRouteChange={focusPage}>
              {routes}
              <Route default component={NotFoundPage} />
            </Router>
          </Guarded>
        </main>
        <Footer />
      </Frame>
    </NetworksProvider>
  </LocationProvider>
)

/** The wallet of the network and the messages of all pages. */
const Frame = ({ children }: { children: ComponentChildren }) => (
  <WalletProvider network={useNetwork()}>
    <ToastProvider>{children}</ToastProvider>
  </WalletProvider>
)

/** Shown instead of a page while it loads or after it failed. */
const Guarded = ({ children }: { children: ComponentChildren }) => (
  <PageBoundary url={useLocation().url}>
    <KnownNetwork>
      <ErrorBoundary>{children}</ErrorBoundary>
    </KnownNetwork>
  </PageBoundary>
)

let isFirst = true

/** Screen readers do not notice a page change without a new document, so the heading gets the focus. */
const focusPage = (): void => {
  if (!isFirst) document.getElementById('main')?.focus({ preventScroll: true })
  isFirst = false
}
