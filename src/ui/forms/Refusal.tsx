import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { DomainError } from '~/domain/api/errors'
import { translateError } from '~/src/i18n/errorTexts'
import { Icon } from '~/src/ui/Icon'
import css from './Refusal.module.css'

/** Shows why a request was refused, or `children`: why it cannot be sent. */
export const Refusal = ({
  error,
  children,
}: {
  error?: DomainError | null
  children?: ReactNode
}) => {
  const { t } = useTranslation()
  const text = error ? translateError(error, t) : children
  return text ? (
    <p role="alert" className={css.refused}>
      <Icon name="warning" size={18} />
      {text}
    </p>
  ) : null
}
