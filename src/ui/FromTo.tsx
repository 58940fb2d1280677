import { useTranslation } from 'react-i18next'
import { getTextDirection } from '~/domain/language/locales'

/** Shows two places with an arrow in the reading direction. */
export const FromTo = ({ from, to }: { from: string; to: string }) => {
  const { i18n } = useTranslation()
  return (
    <>
      <bdi>{from}</bdi> {getTextDirection(i18n.language) === 'rtl' ? '←' : '→'} <bdi>{to}</bdi>
    </>
  )
}
