import { ApiFailure, asFailure } from '../../api/ApiFailure.ts'
import { client } from '../../api/client.ts'
import type { components } from '../../api/openapi.d.ts'
import { read } from '../../api/read.ts'
import type { NetworkName } from '../../networks/NetworksProvider.tsx'

type Schemas = components['schemas']

export type Order = Schemas['Order']
export type DebugReport = Schemas['DebugReport']
export type Trade = Schemas['Trade']
export type OrderEvent = Schemas['OrderEvent']

/** Current data of an order. */
export type LoadedOrder = {
  order: Order
  /** null when the report is refused; `refusal` has the error */
  report: DebugReport | null
  refusal: ApiFailure | null
  /** newest first; the newest `maxTrades` */
  trades: Trade[]
  /** Unix milliseconds */
  loadedAt: number
}

export const maxTrades = 500

/**
 * An order with its debug report. A deployment may restrict the report to its operators; then only the order is shown.
 * @throws ApiFailure for an unknown order
 */
export const loadOrder = async (network: NetworkName, uid: string, signal: AbortSignal): Promise<LoadedOrder> => {
  const report = await loadReport(network, uid, signal)
  if (report instanceof ApiFailure && report.facts.status === 404) throw report
  const isRefused = report instanceof ApiFailure
  const order = isRefused
    ? await read(client.GET('/{network}/api/v1/orders/{uid}', { params: { path: { network, uid } }, signal }))
    : report.order
  // read after the order, so that no trade of it is missing: an event known to the report causes no reload
  const trades = await loadTrades(network, uid, signal)
  return {
    order,
    report: isRefused ? null : report,
    refusal: isRefused ? report : null,
    trades,
    loadedAt: Date.now(),
  }
}

const loadReport = (network: NetworkName, uid: string, signal: AbortSignal): Promise<DebugReport | ApiFailure> =>
  read(client.GET('/{network}/api/v1/debug/order/{uid}', { params: { path: { network, uid } }, signal })).catch(
    asFailure,
  )

const loadTrades = (network: NetworkName, orderUid: string, signal: AbortSignal): Promise<Trade[]> =>
  read(
    client.GET('/{network}/api/v2/trades', {
      params: { path: { network }, query: { orderUid, limit: maxTrades } },
      signal,
    }),
  )
