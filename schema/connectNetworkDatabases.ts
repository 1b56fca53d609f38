import { type NetworkName, networkNames, networks } from '#shared/networks.ts'
import { connectDatabase, type Database } from './client.ts'

/** Databases of the networks in a Worker that serves several. */
export type NetworkDatabaseSettings = {
  DATABASE_URL: string
  /** only networks whose database is not `DATABASE_URL` */
  DATABASE_URLS: ReadonlyMap<NetworkName, string>
}

/** Returns the database of a network by its chain id: its own one, else the one of `DATABASE_URL`. */
export const connectNetworkDatabases = ({ DATABASE_URL, DATABASE_URLS }: NetworkDatabaseSettings) => {
  const own = new Map(networkNames.map((name) => [networks[name].chainId, DATABASE_URLS.get(name)]))
  return (chainId: number): Database => connectDatabase(own.get(chainId) ?? DATABASE_URL)
}
