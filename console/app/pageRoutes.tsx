import type { VNode } from 'preact'
import { lazy, Route } from 'preact-iso'
import { UnloadedPage } from './UnloadedPage.tsx'

/** Each page is a separate file, loaded on demand. */
const lazyPage = <T,>(load: () => Promise<T>) => lazy(() => load().catch(() => UnloadedPage))

const TradePage = lazyPage(() => import('../trade/TradePage.tsx').then((module) => module.TradePage))
const OrderPage = lazyPage(() => import('../order/OrderPage.tsx').then((module) => module.OrderPage))
const AccountPage = lazyPage(() => import('../account/AccountPage.tsx').then((module) => module.AccountPage))
const TransactionPage = lazyPage(() => import('../search/TransactionPage.tsx').then((module) => module.TransactionPage))
const AuctionPage = lazyPage(() => import('../search/AuctionPage.tsx').then((module) => module.AuctionPage))
const ExplorerPage = lazyPage(() => import('../explorer/ExplorerPage.tsx').then((module) => module.ExplorerPage))
const SolverPage = lazyPage(() => import('../explorer/SolverPage.tsx').then((module) => module.SolverPage))
const TokenPage = lazyPage(() => import('../tokenPage/TokenPage.tsx').then((module) => module.TokenPage))
const NotificationPage = lazyPage(() =>
  import('../notifications/NotificationPage.tsx').then((module) => module.NotificationPage),
)
const StatusPage = lazyPage(() => import('../status/StatusPage.tsx').then((module) => module.StatusPage))

/** Pages by path (`networks/paths.ts`). */
export const pageRoutes: VNode[] = [
  <Route key="TradePage" path="/" component={TradePage} />,
  <Route key="OrderPage" path="/orders/:uid" component={OrderPage} />,
  <Route key="AccountPage" path="/accounts/:account" component={AccountPage} />,
  <Route key="TransactionPage" path="/transactions/:hash" component={TransactionPage} />,
  <Route key="AuctionPage" path="/auctions/:id" component={AuctionPage} />,
  <Route key="SolverPage" path="/solvers/:address" component={SolverPage} />,
  <Route key="TokenPage" path="/tokens/:token" component={TokenPage} />,
  <Route key="ExplorerPage" path="/explore" component={ExplorerPage} />,
  <Route key="NotificationPage" path="/notifications" component={NotificationPage} />,
  <Route key="StatusPage" path="/status" component={StatusPage} />,
]
