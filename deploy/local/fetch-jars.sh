#!/bin/sh
# Fetches Kafka's jars and the JMX exporter's agent through Maven: fetch-jars.sh KAFKA_VERSION DIRECTORY
set -eu

here=$(cd "$(dirname "$0")" && pwd)
exec sh "$here/fetch.sh" "$here/pom.xml" "$2" \
  "lib/kafka_2.13-$1.jar agent/jmx_prometheus_javaagent.jar" "-Dkafka.version=$1"
