import { useTitle } from '../browser/useTitle.ts'
import { useNetwork } from '../networks/NetworksProvider.tsx'
import { TradeDesk } from './TradeDesk.tsx'
import './trade.css'

/** `/`: from a quote to a filled order. */
export const TradePage = () => {
  const network = useNetwork()
  useTitle('Trade')
  return <TradeDesk key={network.name} network={network} />
}
