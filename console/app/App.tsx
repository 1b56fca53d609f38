import type { ComponentChildren } from 'preact'
import { ErrorBoundary, LocationProvider, Route, Router, useLocation } from 'preact-iso'
import { KnownNetwork } from '../networks/KnownNetwork.tsx'
import { NetworksProvider, useNetwork } from '../networks/NetworksProvider.tsx'
import { ToastProvider } from '../ui/elements/ToastProvider.tsx'
import { WalletProvider } from '../wallet/WalletProvider.tsx'
import { Footer } from './Footer.tsx'
import { focusPage } from './focusPage.ts'
import { Header } from './Header.tsx'
import { LoadingFrame } from './LoadingFrame.tsx'
import { NotFoundPage } from './NotFoundPage.tsx'
import { PageBoundary } from './PageBoundary.tsx'
import { pageRoutes } from './pageRoutes.tsx'
import './app.css'

/** All other links leave the console: to the API reference and to API responses. */
const ownPages =
  /^\/(?:$|[?#]|(?:orders|accounts|transactions|auctions|solvers|tokens)\/[^/]+$|(?:explore|notifications|status)(?:$|[?#]))/

/** The frame of all pages: networks, wallet, messages, header and footer. */
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
              {pageRoutes}
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
