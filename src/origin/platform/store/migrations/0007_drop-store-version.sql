DROP TABLE "store_version";
