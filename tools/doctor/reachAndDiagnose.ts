import type { NetworkName } from '#shared/networks.ts'
import { type DiagnosisTarget, diagnose } from './diagnose.ts'
import type { DoctorFinding } from './finding.ts'
import { reachDatabases } from './reachDatabases.ts'

/** Checks every dependency of a network, its databases as the Workers reach them. */
export const reachAndDiagnose = async (network: NetworkName, target: DiagnosisTarget): Promise<DoctorFinding[]> => {
  const reached = await reachDatabases(target.databaseUrls, target.place)
  const find = (urls: readonly string[] = []) => urls.flatMap((url) => reached.urls.get(url) ?? [])
  try {
    const [databaseUrls, rowRoleUrls] = [find(target.databaseUrls), find(target.rowRoleUrls)]
    return [...reached.findings, ...(await diagnose(network, { ...target, databaseUrls, rowRoleUrls }))]
  } finally {
    await reached.close()
  }
}
