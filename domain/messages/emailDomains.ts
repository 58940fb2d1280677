/** The domains to which the platform sends e-mail, and from which it takes addresses of people. */
export interface EmailDomains {
  /** Only these, with their subdomains; undefined for all. */
  allowedEmailDomains?: readonly string[]
  /** None of these, such as providers of disposable addresses, nor of their subdomains. */
  refusedEmailDomains?: readonly string[]
}

const isWithin = (domain: string, parents: readonly string[]): boolean =>
  parents.some((parent) => domain === parent || domain.endsWith(`.${parent}`))

/** Returns true when the office takes e-mail addresses of this one's domain. */
export const isEmailDomainAllowed = (
  address: string,
  { allowedEmailDomains, refusedEmailDomains = [] }: EmailDomains,
): boolean => {
  const domain = address
    .slice(address.lastIndexOf('@') + 1)
    .trim()
    .toLowerCase()
  if (isWithin(domain, refusedEmailDomains)) return false
  return allowedEmailDomains === undefined || isWithin(domain, allowedEmailDomains)
}

/** Returns the domains of a list that people type, in lowercase, each once. */
export const splitDomains = (typed: string): string[] => [
  ...new Set(
    typed
      .toLowerCase()
      .split(/[\s,]+/)
      .filter((domain) => domain !== ''),
  ),
]

const DOMAIN = /^[^\s,@./]+(\.[^\s,@./]+)+$/

/** Returns true for a list of domains, separated by commas or spaces, and for an empty one. */
export const isDomainList = (typed: string): boolean =>
  splitDomains(typed).every((domain) => DOMAIN.test(domain))
