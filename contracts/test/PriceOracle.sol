// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// Oracle of conditional orders whose price anyone sets.
contract PriceOracle {
    int256 public price;
    uint8 public constant decimals = 8;

    function set(int256 price_) external {
        price = price_;
    }

    function latestRoundData() external view returns (uint80, int256, uint256, uint256, uint80) {
        return (1, price, block.timestamp, block.timestamp, 1);
    }
}
