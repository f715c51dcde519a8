import { toDecimal, type Decimal } from './decimal.ts';
import type { Product, ProductRecord } from './product.ts';

/**
 * Converts a stored record like `product.parse`, but without validation. The snapshot contains only validated records,
 * and validating all of them would dominate the build time.
 */
export function reviveProduct(record: ProductRecord): Product {
  return {
    name: record.name,
    gtin: record.gtin,
    language: record.language,
    abas_id: record.abas_id ?? '',
    item_number: record.item_number ?? '',
    price: reviveDecimal(record.price),
    availability: record.availability,
    length: reviveDecimal(record.length),
    width: reviveDecimal(record.width),
    height: reviveDecimal(record.height),
    area: reviveDecimal(record.area),
    joint: reviveDecimal(record.joint),
    weight: reviveDecimal(record.weight),
    folded: record.folded ?? undefined,
    trade_unit: record.trade_unit ?? '',
    packaging_unit: record.packaging_unit ?? '',
    packaging_unit_quantity: reviveDecimal(record.packaging_unit_quantity),
    bundle_unit: record.bundle_unit ?? '',
    bundle_unit_quantity: reviveDecimal(record.bundle_unit_quantity),
    erp_description: record.erp_description ?? '',
    erp_description_short: record.erp_description_short ?? '',
    intro: record.intro ?? '',
    application: record.application ?? '',
    application_short: record.application_short ?? '',
    advantages: record.advantages ?? '',
    substrate: record.substrate ?? '',
    limiting_factors: record.limiting_factors ?? '',
    datasheet: record.datasheet || undefined,
    safety_datasheet: record.safety_datasheet || undefined,
    declaration_of_performance: record.declaration_of_performance || undefined,
    image: record.image || undefined,
    banner: record.banner || undefined,
    attributes: (record.attributes ?? []).map(({ name, norm, value }) => ({ name, norm: norm ?? '', value })),
    materials: (record.materials ?? []).map(({ name, value }) => ({ name, value })),
  };
}

function reviveDecimal(stored: number | string | null | undefined): Decimal | undefined {
  return stored === null || stored === undefined ? undefined : toDecimal(stored);
}
