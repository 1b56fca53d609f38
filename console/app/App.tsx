import type { ComponentChildren } from 'preact'
import { ErrorBoundary, LocationProvider, lazy, Route, Router, useLocation } from 'preact-iso'
import { KnownNetwork } from '../networks/KnownNetwork.tsx'
import { NetworksProvider, useNetwork } from '../networks/NetworksProvider.tsx'
import { ToastProvider } from '../ui/elements/ToastProvider.tsx'
import { WalletProvider } from '../wallet/WalletProvider.tsx'
import { Footer } from './Footer.tsx'
import { Header } from './Header.tsx'
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

/** Pages and their paths (`networks/paths.ts`). */
export const App = () => (
  <LocationProvider scope={ownPages}>
    <NetworksProvider>
      <Frame>
        <a class="skip-link" href="#main">
          Skip to the page
        </a>
        <Header />
        <main id="main" tabIndex={-1}>
          <Guarded>
            <Router onRouteChange={focusPage}>
              <Route path="/" component={TradePage} />
              <Route path="/orders/:uid" component={OrderPage} />
              <Route path="/accounts/:account" component={AccountPage} />
              <Route path="/transactions/:hash" component={TransactionPage} />
              <Route path="/auctions/:id" component={AuctionPage} />
              <Route path="/tokens/:token" component={TokenPage} />
              <Route path="/explore" component={ExplorerPage} />
              <Route path="/notifications" component={NotificationPage} />
              <Route path="/status" component={StatusPage} />
              <Route path="/design" component={DesignPage ?? NotFoundPage} />
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
