import { useLocation } from 'preact-iso'
import { toApiFailure } from '../api/ApiFailure.ts'
import { client } from '../api/client.ts'
import { dropUndefined } from '../lists/dropUndefined.ts'
import { ListFrame } from '../lists/ListFrame.tsx'
import { readToken } from '../lists/readFilter.ts'
import { TokenFilter } from '../lists/TokenFilter.tsx'
import { TradeTable } from '../lists/TradeTable.tsx'
import { useList } from '../lists/useList.ts'
import type { Network } from '../networks/NetworksProvider.tsx'
import { CsvButton } from './csv/CsvButton.tsx'
import { collectCsv } from './csv/collectCsv.ts'
import { findTokensOf } from './csv/findTokensOf.ts'
import { toCsvRows } from './csv/toCsvRows.ts'
import { buildTradeColumns } from './csv/tradeColumns.ts'

const tradesOfPage = 25
/** Rows of a request while a file is collected. */
const csvPage = 100

/** Trades of an account, narrowed to a token, page by page. */
export const AccountTrades = ({ network, account }: { network: Network; account: string }) => {
  const token = readToken(useLocation().query.token)
  const load = (cursor: string | undefined, limit: number, signal: AbortSignal) =>
    client.GET('/{network}/api/v1/explorer/trades', {
      params: {
        path: { network: network.name },
        query: dropUndefined({ owner: account, limit, token, cursor }),
      },
      signal,
    })
  const list = useList(`trades ${account} ${token}`, (cursor, signal) => load(cursor, tradesOfPage, signal))
  const columns = buildTradeColumns(network)
  return (
    <>
      <div class="filters">
        <TokenFilter />
        <CsvButton
          key={token}
          what="trades"
          fileName={`trades-${account}-${network.name}.csv`}
          collect={(onProgress, signal) =>
            collectCsv(
              {
                header: columns.map(([name]) => name),
                loadPage: async (cursor) => {
                  const { data, error, response } = await load(cursor, csvPage, signal)
                  if (!data) throw toApiFailure(error, response)
                  return { rows: data, next: response.headers.get('X-Next-Cursor') }
                },
                toCells: async (trades) => toCsvRows(columns, trades, await findTokensOf(network, trades)),
              },
              onProgress,
            )
          }
        />
      </div>
      <ListFrame
        list={list}
        what="trades"
        render={(trades) => <TradeTable network={network} trades={trades} isOfAccount />}
      />
    </>
  )
}
