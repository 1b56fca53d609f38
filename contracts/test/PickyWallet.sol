// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// EIP-1271 wallet that accepts every signature, but only in its own way of being asked; it may refuse ether.
contract PickyWallet {
    address private immutable caller;
    bool private immutable writes;
    bool private immutable refusesEther;
    uint256 private checks;

    /// @param caller_ the only account that may check signatures; zero: any
    /// @param writes_ a check writes, which a static call forbids
    constructor(address caller_, bool writes_, bool refusesEther_) {
        caller = caller_;
        writes = writes_;
        refusesEther = refusesEther_;
    }

    receive() external payable {
        require(!refusesEther, "no ether");
    }

    function approve(address token, address spender) external {
        (bool succeeded,) =
            token.call(abi.encodeWithSignature("approve(address,uint256)", spender, type(uint256).max));
        require(succeeded, "no approval");
    }

    function isValidSignature(bytes32, bytes calldata) external returns (bytes4) {
        if (caller != address(0) && msg.sender != caller) return 0xffffffff;
        if (writes) checks += 1;
        return this.isValidSignature.selector;
    }
}
