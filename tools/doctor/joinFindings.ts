import type { NetworkName } from '#shared/networks.ts'
import type { DoctorFinding } from './finding.ts'

/** Findings of networks that are served together: one of all networks once, every other one with the name of its network. */
export const joinFindings = (byNetwork: ReadonlyMap<NetworkName, readonly DoctorFinding[]>): DoctorFinding[] => {
  const texts = [...byNetwork.values()].map((findings) => new Set(findings.map((finding) => JSON.stringify(finding))))
  const isCommon = (finding: DoctorFinding): boolean => texts.every((set) => set.has(JSON.stringify(finding)))
  return [...byNetwork].flatMap(([network, findings], index) =>
    findings.flatMap((finding) => {
      if (isCommon(finding)) return index === 0 ? [finding] : []
      return [{ ...finding, name: `${network}, ${finding.name}` }]
    }),
  )
}
